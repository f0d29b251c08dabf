import { installHooks } from './bootstrap/hooks.mjs'
import { linkNode } from './bootstrap/node.mjs'

/** After an install by hand: what the bootstrap does after one of its own, and nothing here makes the install fail. */
linkNode()
installHooks()
