'use client'

import { Failure } from './_ui/failure.tsx'

export default Failure
