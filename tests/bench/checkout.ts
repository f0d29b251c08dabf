import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The tree of another commit in a folder of its own; its packages are installed where its lock is another. */
export function checkOut(
  root: string,
  commit: string,
): { readonly folder: string; readonly remove: () => void } {
  const folder = join(mkdtempSync(join(tmpdir(), 'quorate-bench-')), 'tree')
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  git('worktree', 'add', '--quiet', '--detach', folder, commit)
  const isSameLock = git('diff', '--name-only', commit, '--', 'package-lock.json') === ''
  if (isSameLock) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', ['ci', '--silent', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' })
  return {
    folder,
    remove() {
      git('worktree', 'remove', '--force', folder)
      rmSync(join(folder, '..'), { recursive: true, force: true })
    },
  }
}
