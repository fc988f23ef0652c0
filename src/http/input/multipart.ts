/** A file of a form, and the other fields. */
export type FormFile = {
  /** Undefined if the form has no such field. */
  file: Uint8Array | undefined
  beside: [name: string, value: unknown][]
}

/**
 * Reads the file in a field of a form.
 *
 * @param type Content-Type, with the boundary of the parts
 * @param createError creates the error for an invalid form, or a field with several files or none
 */
export async function readFormFile(
  { bytes, type }: { bytes: Uint8Array; type: string },
  field: string,
  createError: (message: string) => Error,
): Promise<FormFile> {
  const form = await new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { 'content-type': type },
  })
    .formData()
    .catch(() => {
      throw createError('The form is invalid: its parts do not match the boundary in Content-Type.')
    })
  const [file, ...more] = form.getAll(field)
  if (file === undefined) return { file, beside: [...form] }
  if (more.length > 0) throw createError(`The form has several fields "${field}". Send one.`)
  if (typeof file === 'string') {
    throw createError(`The field "${field}" is a string. Send it as a file, with a file name.`)
  }
  return { file: new Uint8Array(await file.arrayBuffer()), beside: [...form] }
}
