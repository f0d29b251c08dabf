'use server'

export async function greet(_before: string, form: FormData): Promise<string> {
  return `Hello ${form.get('name')}`
}
