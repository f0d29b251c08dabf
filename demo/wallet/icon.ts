const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><defs><linearGradient id="a" x2="0" y2="1"><stop stop-color="#ffdf94"/><stop offset="1" stop-color="#c8963a"/></linearGradient></defs><rect width="96" height="96" fill="url(#a)"/><g fill="none" stroke="#2a1e05" stroke-width="6" stroke-linejoin="round"><path d="M22 36h46a8 8 0 0 1 8 8v24a8 8 0 0 1-8 8H28a8 8 0 0 1-8-8V34a8 8 0 0 1 8-8h36v10"/><path d="M76 50H62a6 6 0 0 0 0 12h14"/></g></svg>`

export const icon = `data:image/svg+xml,${encodeURIComponent(drawing)}`
