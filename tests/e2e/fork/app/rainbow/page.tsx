import { ConnectButton } from '#wallet/connect-button.tsx'

export default function Page() {
  return (
    <section>
      <h1>Rainbow</h1>
      <ConnectButton label="Come in" />
    </section>
  )
}
