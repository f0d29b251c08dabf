/** One line of progress, with the time since the start. */
export function say(text: string): void {
  console.log(`[${(performance.now() / 1000).toFixed(1).padStart(5)} s] ${text}`)
}
