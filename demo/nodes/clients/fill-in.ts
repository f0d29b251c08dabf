/** A copy of a template of JSON with these values: text for a `{name}` inside a text, the value itself for one that is all of it. */
export function fillIn<Template>(template: Template, values: Readonly<Record<string, unknown>>): Template {
  const text = JSON.stringify(template).replace(/"\{(\w+)\}"|\{(\w+)\}/g, (placeholder, whole, part) => {
    const value = values[whole ?? part]
    if (value === undefined) return placeholder
    return whole === undefined ? JSON.stringify(String(value)).slice(1, -1) : JSON.stringify(value)
  })
  return JSON.parse(text) as Template
}
