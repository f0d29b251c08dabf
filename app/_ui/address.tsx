import styles from './address.module.css'

/** Where an address may wrap: into two lines of equal length, which are easy to compare. */
const half = 21

/** A full address, never truncated. */
export function Address({ address }: { address: string }) {
  return (
    <span className={styles.address} translate="no">
      {address.slice(0, half)}
      <wbr />
      {address.slice(half)}
    </span>
  )
}
