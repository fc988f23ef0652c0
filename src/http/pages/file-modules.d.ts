/** Imported as the path of a file, so that a compiled executable contains it. */
declare module '*.ico' {
  const path: string
  export default path
}
declare module '*.png' {
  const path: string
  export default path
}
/** Imported as text, because browsers run these scripts unchanged. */
declare module '*/api-key.js' {
  const text: string
  export default text
}
declare module '*/api-reference.js' {
  const text: string
  export default text
}
declare module '*/api-sample-view.js' {
  const text: string
  export default text
}
declare module '*/api-samples.js' {
  const text: string
  export default text
}
declare module '*/api-sidebar.js' {
  const text: string
  export default text
}
declare module '*/page-start.js' {
  const text: string
  export default text
}
declare module '*/service-worker.js' {
  const text: string
  export default text
}
