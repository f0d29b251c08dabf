/** Whether another page shows this one. For browsers only. */
export function isFramed(): boolean {
  return window.parent !== window
}
