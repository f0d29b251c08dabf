/** Who hears of something. They come as what they belong to is built; what is told before is heard by nobody. */
export class Listeners<Value> {
  readonly #all: ((value: Value) => void)[] = []

  add(listener: (value: Value) => void): void {
    this.#all.push(listener)
  }

  readonly emit = (value: Value): void => {
    for (const listener of this.#all) listener(value)
  }
}
