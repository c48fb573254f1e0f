import { expect } from 'chai';
import { describe, it } from 'mocha';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { isolatedOptions } from '../../support/isolated-options.js';

describe('a server on a loopback address', () => {
  for (const host of ['127.0.0.1', '127.0.0.2', '127.9.8.7']) {
    it(`answers under ${host}, which it announces`, async () => {
      const castellan = await createCastellan(isolatedOptions());
      try {
        const { url } = await castellan.listen({ host, port: 0, admin: 'off' });
        expect(url).to.contain(host);
        const { status } = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
        });
        // It is not known who asks; 403 would be a name that is not ours.
        expect(status).to.equal(401);
      } finally {
        await castellan.close();
      }
    });
  }
});
