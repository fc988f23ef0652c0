/** These files are imported as text, so that a compiled executable contains them. */
declare module '*.sql' {
  const text: string
  export default text
}

declare module '*.csv' {
  const text: string
  export default text
}
