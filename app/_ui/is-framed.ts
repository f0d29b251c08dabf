/** Whether this page is shown in a frame. For browsers only. */
export function isFramed(): boolean {
  return window.parent !== window
}
