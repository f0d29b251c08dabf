import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

interface Field {
  readonly value: string
}

/** Takes over what a visitor entered in the HTML's field: hydration leaves it there, but says nothing, and the next render undoes it. */
export function useEntered<Element extends Field>(
  value: string,
  onEntered: (value: string) => void,
): RefObject<Element | null> {
  const field = useRef<Element>(null)
  const take = useEffectEvent(() => {
    const entered = field.current?.value ?? value
    if (entered !== value) onEntered(entered)
  })
  useEffect(() => take(), [])
  return field
}
