/** Style of Swagger UI, in the colors of all pages. */
export const SWAGGER_STYLE = `.swagger-ui { background: none; }
.swagger-ui, .swagger-ui :is(h3, h4, h5, p, div, span, button, input, select, textarea, label, table, td, th) {
  font-family: inherit;
}
.swagger-ui :is(code, pre, pre *, .opblock-summary-path, .parameter__name, .parameter__type, .prop-type) {
  font-family: var(--font-code);
}
.swagger-ui .wrapper { max-width: none; padding: 0; }
.swagger-ui .block { margin: 0; }
.swagger-ui .block-desktop, .swagger-ui .col-12 { padding: 0; }
.swagger-ui .auth-wrapper { justify-content: flex-start; margin: 0 0 16px; }
.swagger-ui .auth-wrapper .authorize { margin: 0; padding-right: 16px; }
.swagger-ui .btn.authorize { color: var(--accent); border-color: var(--accent); }
.swagger-ui .btn.authorize svg { fill: var(--accent); }
.swagger-ui .btn.cancel { color: var(--down); border-color: var(--down); }
.swagger-ui .btn.execute { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
.swagger-ui .opblock-tag { font-size: 18px; padding: 8px 0; border-color: var(--line); }
.swagger-ui .opblock { background: var(--surface); border: 1px solid var(--line); box-shadow: none; margin: 0 0 8px; }
.swagger-ui .opblock .opblock-summary { border-color: var(--line); }
.swagger-ui .opblock .opblock-section-header { background: var(--ground); box-shadow: none; }
.swagger-ui .opblock .tab-header .tab-item.active h4 span::after { background: var(--accent); }
.swagger-ui .opblock-summary-method { background: var(--accent); color: var(--accent-ink); text-shadow: none; }
.swagger-ui .opblock-post .opblock-summary-method { background: var(--up); }
.swagger-ui .opblock-patch .opblock-summary-method { background: var(--warn); }
.swagger-ui .opblock-delete .opblock-summary-method { background: var(--down); }
.swagger-ui .opblock-summary-path { word-break: normal; overflow-wrap: anywhere; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code {
  font-size: 14px; font-weight: 400; color: var(--ink); background: var(--sunken);
}
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: var(--down); }
.swagger-ui .parameter__in, .swagger-ui .parameter__type { color: var(--ink-soft); }
.swagger-ui :is(.header-col, .tab li button, .response-control-media-type__accept-message) { color: var(--ink); }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .auth-container input { width: 100%; }
.swagger-ui input, .swagger-ui select { max-width: min(100%, 480px); }
.swagger-ui textarea { max-width: 100%; }
@media (prefers-reduced-motion: reduce) { .swagger-ui * { transition: none !important; } }
@media (max-width: 640px) {
  .swagger-ui .parameters, .swagger-ui .parameters tbody, .swagger-ui .parameters tr, .swagger-ui .parameters td {
    display: block; width: 100%;
  }
  .swagger-ui .parameters thead { display: none; }
  .swagger-ui .parameters td.parameters-col_name { padding: 12px 0 4px; }
  .swagger-ui .parameters td.parameters-col_description { padding: 0 0 12px; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select { width: 100%; }
  .swagger-ui .opblock-summary-method { min-width: 64px; }
  .swagger-ui .opblock .opblock-section-header { padding: 8px 12px; }
  .swagger-ui .try-out__btn { min-width: 0; padding: 4px 12px; }
  .swagger-ui .responses-inner { padding: 12px; }
  .swagger-ui .responses-table .response-col_status { min-width: 44px; }
}
`
