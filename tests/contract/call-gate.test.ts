import { InMemoryCallGate } from '../../src/infrastructure/tool/in-memory-call-gate.js';
import { callGateContract } from './call-gate-contract.js';

callGateContract('InMemoryCallGate', (clock) => new InMemoryCallGate(clock));
