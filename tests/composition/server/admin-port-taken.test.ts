import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Logger } from '../../../src/application/ports/system/logger.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { isolatedOptions } from '../../support/isolated-options.js';

describe('a server whose port for operators is taken', () => {
  it('serves all the same, and says so in one line without a stack', async () => {
    const logger = new RecordingLogger();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const castellan = await createCastellan({
      ...isolatedOptions(),
      configure: (container) => {
        container.rebind(Logger).toConstantValue(logger);
      },
    });
    try {
      const listening = await castellan.listen({ port: 0, admin: { host: '127.0.0.1', port } });
      expect(listening.adminUrl).to.equal(undefined);
      expect(logger.records.filter(({ level }) => level === 'warn')).to.deep.equal([
        {
          level: 'warn',
          message: `Health and metrics are not served: 127.0.0.1:${port} is in use by another server; choose another http.admin, or off.`,
        },
      ]);
    } finally {
      await castellan.close();
      other.close();
    }
  });
});
