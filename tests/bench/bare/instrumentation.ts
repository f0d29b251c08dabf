/** Empty: without one, Next takes that of the folder above, which is ours. */
export function register(): void {}
