import { redirect } from 'next/navigation'
import { currentSession } from '#lib/auth/require-session.ts'
import { signInTexts } from '#lib/page/texts/sign-in.ts'
import { SignIn } from './sign-in.tsx'

export const metadata = { title: signInTexts.title }

export default async function SignInPage() {
  const session = await currentSession()
  if (session !== null && session !== 'unavailable') redirect('/account')
  return <SignIn />
}
