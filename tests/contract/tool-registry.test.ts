import { InMemoryToolRegistry } from '../../src/infrastructure/tool/in-memory-tool-registry.js';
import { toolRegistryContract } from './tool-registry-contract.js';

toolRegistryContract('InMemoryToolRegistry', (prefix) => new InMemoryToolRegistry({ prefix }));
