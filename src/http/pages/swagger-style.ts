/** Style of Swagger UI, in the colors of all pages. */
export const SWAGGER_STYLE = `.swagger-ui { background: none; }
.swagger-ui, .swagger-ui :is(h3, h4, h5, p, div, span, small, a, li, button, input, select, textarea, label, table, td, th) {
  font-family: inherit;
}
.swagger-ui, .swagger-ui :is(
  .opblock-tag, .opblock-tag small, h4, h5, .opblock-summary-path, .opblock-summary-description, .opblock-description-wrapper p,
  .parameter__name, .tab li, table thead tr td, table thead tr th, .response-col_status, .renderedMarkdown p, label, .model, .model-title
) {
  color: var(--ink);
}
.swagger-ui :is(input, select, textarea):not(.invalid) { background-color: var(--surface); color: var(--ink); border: 1px solid var(--line-strong); }
.swagger-ui table :is(thead tr td, thead tr th) { border-color: var(--line); }
.swagger-ui :is(code, pre, pre *, .opblock-summary-path, .parameter__name, .parameter__type, .prop-type, .body-param__text) {
  font-family: var(--font-code);
}
.swagger-ui .wrapper { max-width: none; padding: 0; }
.swagger-ui .block { margin: 0; }
.swagger-ui .block-desktop, .swagger-ui .col-12 { padding: 0; }
.swagger-ui .auth-wrapper { justify-content: flex-start; margin: 0 0 16px; }
.swagger-ui .auth-wrapper .authorize { margin: 0; padding-right: 16px; }
.swagger-ui .btn.authorize { color: var(--accent); border-color: var(--accent); }
.swagger-ui .btn.authorize svg { color: var(--accent); fill: var(--accent); }
.swagger-ui .btn:not(.execute, .authorize, .cancel) { color: var(--ink); border-color: var(--line-strong); }
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
.swagger-ui :is(.header-col, .tab li button) { color: var(--ink); }
.swagger-ui :is(.responses-inner, .opblock-section-header, .opblock-section) { border-color: var(--line); }
.swagger-ui .response-control-media-type--accept-controller select { border-color: var(--line-strong); }
.swagger-ui .response-control-media-type__accept-message { color: var(--ink-soft); }
.swagger-ui .response-col_links { display: none; }
.api { --top: calc(var(--bar) + var(--space-4)); }
.swagger-ui .opblock { scroll-margin-top: var(--top); }
/* Swagger UI scrolls to endpoints as if the list began here, so that they end up below the header. */
.swagger-ui .operations-virtual { margin-top: calc(-1 * var(--top)); padding-top: var(--top); pointer-events: none; }
.swagger-ui .operations-virtual__list { pointer-events: auto; }
.api { grid-template-columns: 17rem minmax(0, 1fr); }
.api .guides-side { height: calc(100vh - var(--bar) - var(--space-6)); grid-template-rows: auto minmax(0, 1fr); overflow: visible; }
.api .guides-side > nav { overflow-y: auto; }
.api .guides-side > .field { margin: 0; }
.api .guides-list a { font-size: var(--text-s); scroll-margin: var(--space-4); }
.api-method { color: var(--ink-soft); font: 600 var(--text-xs) var(--font-code); }
.guides-list a[aria-current] .api-method { color: inherit; }
.api-samples { padding: var(--space-3) var(--space-5) var(--space-4); }
.api-samples pre {
  margin: var(--space-3) 0 0; padding: var(--space-4); border: 1px solid var(--line); border-radius: var(--radius-m);
  background: var(--ground); color: var(--ink); font-size: var(--text-s); line-height: 1.6; overflow-x: auto;
}
.swagger-ui .auth-container input { width: 100%; }
.swagger-ui input, .swagger-ui select { max-width: min(100%, 480px); }
.swagger-ui textarea { max-width: 100%; }
@media (prefers-reduced-motion: reduce) { .swagger-ui * { transition: none !important; } }
@media (max-width: 59.99rem) {
  .api { --top: calc(var(--bar) + var(--space-7)); display: block; }
  .api .guides-side { display: contents; }
  .api .guides-menu { position: sticky; top: var(--bar); z-index: 1; margin: var(--space-3) 0; }
  .api .guides-menu .guides-list { max-height: 60vh; overflow-y: auto; }
}
@media (max-width: 640px) {
  .api-samples { padding: var(--space-3); }
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
