import { InMemoryCallGate } from '../../src/infrastructure/tool/in-memory-call-gate.js';
import { InMemoryRateLimits } from '../../src/infrastructure/tool/in-memory-rate-limits.js';
import { callGateContract } from './call-gate-contract.js';

callGateContract('InMemoryCallGate', (clock) => new InMemoryCallGate(new InMemoryRateLimits(clock)));
