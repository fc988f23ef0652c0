/** SQL files are imported as text, so that a compiled program carries them. */
declare module '*.sql' {
  const text: string
  export default text
}
