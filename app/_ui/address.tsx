import styles from './address.module.css'

/** Where an address breaks when it does not fit: into two lines of one length, which are easy to compare. */
const half = 21

/** An address in full, never cut. */
export function Address({ address }: { address: string }) {
  return (
    <span className={styles.address}>
      {address.slice(0, half)}
      <wbr />
      {address.slice(half)}
    </span>
  )
}
