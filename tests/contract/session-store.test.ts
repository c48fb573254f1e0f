import { InMemorySessionStore } from '../../src/infrastructure/session/in-memory-session-store.js';
import { sessionStoreContract } from './session-store-contract.js';

sessionStoreContract('InMemorySessionStore', () => new InMemorySessionStore());
