import { COLORS } from './style.ts'

/** The look of the documents, in the colours of all pages. */
export const DOCS_STYLE = `${COLORS}
* { box-sizing: border-box; }
html { color-scheme: light dark; }
html { background: var(--ground); }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
.top {
  display: flex; flex-wrap: wrap; align-items: center; gap: 8px 24px; padding: 12px 24px;
  background: var(--card); border-bottom: 1px solid var(--line);
}
.top nav { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 14px; }
.brand { font-weight: 600; letter-spacing: 0.02em; }
.top a { display: inline-block; padding: 4px 0; color: var(--soft); text-decoration: none; }
.top .brand, .top a[aria-current], .top a:hover { color: var(--ink); }
.top a[aria-current] { box-shadow: 0 2px 0 var(--accent); }
a { color: var(--accent); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main { max-width: 1080px; margin: 0 auto; padding: 0 24px 64px; }
code { font: 14px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }

.guide { max-width: 840px; padding-top: 32px; overflow-wrap: break-word; }
.guide h1, .intro h1 { font-size: 28px; line-height: 1.2; letter-spacing: -0.01em; margin: 0 0 16px; }
.guide h2 { font-size: 18px; line-height: 1.3; margin: 40px 0 12px; }
.guide h3 { font-size: 16px; margin: 24px 0 8px; }
.guide p, .guide ul, .guide ol, .guide table, .guide pre { margin: 0 0 16px; }
.guide li { margin: 4px 0; }
.guide :not(pre) > code { padding: 1px 4px; border-radius: 4px; background: var(--over-ground); overflow-wrap: anywhere; }
.guide td > code { overflow-wrap: normal; }
.guide pre { padding: 16px; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.guide table { display: block; overflow-x: auto; border-collapse: collapse; font-size: 14px; }
.guide th, .guide td { padding: 8px 16px 8px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
.guide th { color: var(--soft); }

@media (max-width: 640px) { main { padding: 0 12px 48px; } .top { padding: 8px 12px; } }
.intro { padding: 32px 0 0; max-width: 720px; }
.intro p { margin: 0; color: var(--soft); }
`

/**
 * The look of the page to try the API on. Swagger UI's own style is a layer below: whatever is said here
 * holds, however particular the rule there.
 */
export const SWAGGER_STYLE = `@import url("/docs/swagger-ui.css") layer(swagger-ui);
.swagger-ui { background: none; }
.swagger-ui .info, .swagger-ui .schemes-server-container, .swagger-ui .servers-title { display: none; }
.swagger-ui .wrapper { max-width: none; padding: 0; }
.swagger-ui .block { margin: 0; }
.swagger-ui .block-desktop, .swagger-ui .col-12 { padding: 0; }
.swagger-ui .scheme-container { background: none; box-shadow: none; margin: 0; padding: 16px 0; }
.swagger-ui .schemes, .swagger-ui .auth-wrapper { justify-content: flex-start; }
.swagger-ui .auth-wrapper .authorize { padding-right: 16px; }
.swagger-ui .btn.authorize { color: var(--accent); border-color: var(--accent); }
.swagger-ui .btn.authorize svg { fill: var(--accent); }
.swagger-ui .btn.cancel { color: var(--bad); border-color: var(--bad); }
.swagger-ui .btn.execute { background: var(--accent); border-color: var(--accent); color: var(--ground); }
.swagger-ui .opblock-tag { font-size: 18px; padding: 8px 0; border-color: var(--line); }
.swagger-ui .opblock { background: var(--card); border: 1px solid var(--line); box-shadow: none; margin: 0 0 8px; }
.swagger-ui .opblock .opblock-summary { border-color: var(--line); }
.swagger-ui .opblock .opblock-section-header { background: var(--ground); box-shadow: none; }
.swagger-ui .opblock .tab-header .tab-item.active h4 span::after { background: var(--accent); }
.swagger-ui .opblock-summary-method { background: var(--accent); color: var(--ground); text-shadow: none; }
.swagger-ui .opblock-post .opblock-summary-method { background: var(--good); }
.swagger-ui .opblock-patch .opblock-summary-method { background: var(--wait); }
.swagger-ui .opblock-delete .opblock-summary-method { background: var(--bad); }
.swagger-ui .opblock-summary-path { word-break: normal; overflow-wrap: anywhere; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code {
  font-size: 14px; font-weight: 400; color: var(--ink); background: var(--over-ground);
}
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: var(--bad); }
.swagger-ui .parameter__in, .swagger-ui .parameter__type { color: var(--soft); }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .auth-container input { width: 100%; }
.swagger-ui input, .swagger-ui select { max-width: min(100%, 480px); }
.swagger-ui textarea { max-width: 100%; }
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
