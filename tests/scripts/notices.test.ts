import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import about from '../../package.json' with { type: 'json' };
import { noticesOf } from '../../scripts/notices.js';
import { MAIN, PROJECT } from '../support/spawned-server.js';

describe('the notices of bundled packages', () => {
  it('have name, version and licence of each package once, nested ones too, and nothing of ours', () => {
    const text = noticesOf(PROJECT, [
      'src/main.ts',
      'node_modules/@anthropic-ai/sdk/index.mjs',
      'node_modules/@anthropic-ai/sdk/client.mjs',
      'node_modules/yaml/dist/index.js',
    ]);
    expect(text.match(/^\S+ \d+\.\d+\.\d+$/gm)).to.deep.equal([
      `@anthropic-ai/sdk ${about.devDependencies['@anthropic-ai/sdk']}`,
      `yaml ${about.dependencies.yaml}`,
    ]);
    expect(text).to.contain('Permission is hereby granted').and.contain('Permission to use, copy, modify');
  });

  it('are in the build for what is bundled and no dependency', () => {
    const text = readFileSync(join(dirname(MAIN), 'NOTICES.txt'), 'utf8');
    const named = text.match(/^\S+(?= \d+\.\d+\.\d+$)/gm) ?? [];
    expect(named).to.include('@anthropic-ai/sdk');
    expect(named.filter((name) => name in about.dependencies)).to.deep.equal([]);
  });
});
