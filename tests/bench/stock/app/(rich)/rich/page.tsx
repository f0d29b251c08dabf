'use client'

import { ConnectButton } from '@rainbow-me/rainbowkit'
import { useAccount, useBalance, useChains } from 'wagmi'
import account from '../../../../../../app/_home/account-line.module.css'
import { Steps } from '../../../../../../app/_home/agreement-steps.tsx'
import cards from '../../../../../../app/_home/chain-cards.module.css'
import hero from '../../../../../../app/_home/hero.module.css'
import home from '../../../../../../app/_home/home.module.css'
import { LookUp } from '../../../../../../app/_home/look-up.tsx'
import seal from '../../../../../../app/_home/seal.module.css'
import { Avatar } from '../../../../../../app/_ui/avatar.tsx'
import button from '../../../../../../app/_ui/button.module.css'
import { ChainMark } from '../../../../../../app/_ui/chain-mark.tsx'
import footer from '../../../../../../app/_ui/footer.module.css'
import { Header } from '../../../../../../app/_ui/header.tsx'
import { AgreementRing } from '../../../../../../app/_ui/quorum-ring.tsx'
import { formatAddress } from '../../../../../../lib/page/format.ts'
import { accountTexts } from '../../../../../../lib/page/texts/account.ts'
import { chainTexts } from '../../../../../../lib/page/texts/chain.ts'
import { homeTexts } from '../../../../../../lib/page/texts/home.ts'
import { shellTexts } from '../../../../../../lib/page/texts/shell.ts'
import { site } from '../../../../../../site.config.ts'

/** Our first page as an app of stock wagmi and RainbowKit would be: the same text, cards and type, and nothing of the wallet in the HTML. */
export default function Page() {
  const { status, address } = useAccount()
  return (
    <div data-phase={status}>
      <Header name={site.name} demo={false}>
        <ConnectButton />
      </Header>
      <main>
        {address ? <Account address={address} /> : <Hero />}
        <section>
          <div className={home.title}>
            <h2>{chainTexts.chains}</h2>
          </div>
          <ul className={cards.cards}>
            {useChains().map(({ id, name }) => (
              <Card key={id} id={id} name={name} address={address} />
            ))}
          </ul>
        </section>
        {address ? <LookUp typed={{ kind: 'nothing' }} /> : <Steps />}
      </main>
      <footer className={footer.footer}>
        <p>{shellTexts.footer}</p>
        <p>{shellTexts.privacy}</p>
      </footer>
    </div>
  )
}

function Hero() {
  return (
    <section className={home.hero}>
      <div className={hero.words}>
        <h1 className={hero.claim}>{site.claim}</h1>
        <p className={hero.story}>{homeTexts.story}</p>
        <LookUp typed={{ kind: 'nothing' }} />
      </div>
      <div className={seal.seal}>
        <div className={seal.rosette} />
        <div className={seal.ring}>
          <AgreementRing quorum={null} size={400} stroke={7} />
        </div>
      </div>
    </section>
  )
}

function Account({ address }: { address: `0x${string}` }) {
  return (
    <section className={account.account}>
      <Avatar address={address} size={64} />
      <h1 className={account.name}>{formatAddress(address)}</h1>
      <div className={account.actions}>
        <button type="button" className={button.primary}>
          {accountTexts.send}
        </button>
      </div>
    </section>
  )
}

function Card({ id, name, address }: { id: number; name: string; address: `0x${string}` | undefined }) {
  const { data } = useBalance({ chainId: id, address })
  return (
    <li className={cards.card}>
      <h3 className={cards.name}>
        <ChainMark id={id} name={name} size={28} />
        {name}
      </h3>
      <div className={cards.figure}>
        <p className={cards.number}>{data ? data.formatted : <span className={cards.blank} />}</p>
      </div>
      <div className={cards.agreement}>
        <AgreementRing quorum={null} size={40} />
        <p>{chainTexts.waiting}</p>
      </div>
    </li>
  )
}
