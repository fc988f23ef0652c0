/** One file of a form, and everything that stands beside it. */
export type FormFile = {
  /** undefined where the form has no such field. */
  file: Uint8Array | undefined
  beside: [name: string, value: unknown][]
}

/**
 * Reads the file that a form has in a field.
 *
 * @param type the Content-Type, which says what stands between the parts
 * @param refused what is thrown for a form that is broken, or has no one file in the field
 */
export async function readFormFile(
  { bytes, type }: { bytes: Uint8Array; type: string },
  field: string,
  refused: (message: string) => Error,
): Promise<FormFile> {
  const form = await new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { 'content-type': type },
  })
    .formData()
    .catch(() => {
      throw refused('The form is broken: its parts do not fit the boundary in Content-Type.')
    })
  const [file, ...more] = form.getAll(field)
  if (file === undefined) return { file, beside: [...form] }
  if (more.length > 0) throw refused(`The form has several fields "${field}": send one of them.`)
  if (typeof file === 'string') {
    throw refused(`The field "${field}" is a text: send it as a file, with a file name.`)
  }
  return { file: new Uint8Array(await file.arrayBuffer()), beside: [...form] }
}
