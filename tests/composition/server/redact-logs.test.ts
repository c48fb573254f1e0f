import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Logger } from '../../../src/application/ports/system/logger.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { RecordingLogger } from '../../../src/testing/testing.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { definition } from '../../support/sample-tool.js';

const SECRETS = [
  `sk-ant-api03-${'k3Y'.repeat(10)}`,
  `npm_${'a1B2'.repeat(9)}`,
  'token: 0123456789abcdef',
  'https://olga:s3cr3tpass@example.org/x',
];

function shown(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    part instanceof Error ? { name: part.name, message: part.message, stack: part.stack } : part,
  );
}

describe('A logger that an embedder binds', () => {
  for (const secret of SECRETS) {
    it(`S3-18, S3-43: gets no ${secret.slice(0, 6)}… of a fault, and neither does the caller`, async () => {
      const logger = new RecordingLogger();
      const castellan = await createCastellan({
        ...isolatedOptions(),
        tools: [
          definition({
            name: 'boom',
            run: () => {
              throw new Error(`boom ${secret}`, { cause: new Error(secret) });
            },
          }),
        ],
        configure: (container) => {
          container.rebind(Logger).toConstantValue(logger);
        },
      });
      const outcome = await castellan.execute('boom', { text: secret });
      await castellan.close();
      const failed = logger.records.filter(({ level }) => level === 'error');
      expect(failed.map(({ message }) => message.slice(0, 22))).to.deep.equal(['Tool boom failed: boom']);
      expect(failed[0]?.fields?.error).to.be.instanceOf(Error);
      const said = secret.replace(/^token: |^https:\/\//, '').replace('@example.org/x', '');
      expect(shown(logger.records)).not.to.contain(said);
      expect(shown(outcome)).to.contain('boom').and.not.to.contain(said);
    });
  }
});
