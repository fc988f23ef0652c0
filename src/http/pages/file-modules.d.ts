/** Imported as the path of a file, so that a compiled executable contains it. */
declare module '*.ico' {
  const path: string
  export default path
}
