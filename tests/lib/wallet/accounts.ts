/** The account of a visitor, and addresses that are none of it. `as const`: where TypeScript would widen them, they are no addresses. */
export const own = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' as const
export const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const
export const third = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' as const
export const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3' as const
