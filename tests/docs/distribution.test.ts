import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { changelogSection, missingFields } from '../../scripts/release.js';

const root = resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json'));

describe('the ways to ship it', () => {
  it('have one systemd unit, which the package ships and the page for operators shows', () => {
    expect(manifest.files).to.include('distribution/systemd');
    const unit = read('distribution/systemd/castellan.service');
    expect(read('docs/how-to/deploy.md')).to.include(`\`\`\`ini\n${unit}\`\`\``);
  });

  it('ask for a token as long as the server does', () => {
    expect(read('compose.yaml')).to.include('at least 16 characters');
    expect(read('docs/reference/environment.md')).to.include(
      'The token of the HTTP server, at least 16 characters',
    );
  });

  it('agree about the version', () => {
    const server = JSON.parse(read('server.json'));
    expect(server.version).to.equal(manifest.version);
    expect(server.packages[0]).to.include({ identifier: manifest.name, version: manifest.version });
    expect(server.$schema).to.contain('2025-12-11');
    for (const file of [
      'distribution/claude-plugin/.claude-plugin/plugin.json',
      'distribution/mcpb/manifest.json',
    ])
      expect(JSON.parse(read(file)), file).to.include({ name: 'castellan', version: manifest.version });
  });

  it('keep the rules for images: pinned bases, nothing left of apt, no root, a health check', () => {
    const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');
    const bases = lines.filter((line) => line.startsWith('FROM '));
    expect(bases).to.have.length(2);
    for (const base of bases) expect(base).to.match(/^FROM \S+:\d+\S*/);
    for (const line of lines.filter((text) => text.includes('apt-get install')))
      expect(line).to.contain('--no-install-recommends').and.contain('rm -rf /var/lib/apt/lists/*');
    expect(lines.findLast((line) => line.startsWith('USER '))).to.equal('USER node');
    expect(lines.some((line) => line.startsWith('HEALTHCHECK '))).to.equal(true);
    expect(lines.join('\n')).not.to.match(/^ADD |sudo|:latest/m);
    expect(lines.join('\n')).to.contain('bubblewrap');
    expect(parse(read('compose.yaml')).services.castellan).to.deep.include({
      read_only: true,
      cap_drop: ['ALL'],
    });
  });

  it('are tested on Node 20, 22 and 24, and released with provenance', () => {
    const test = parse(read('.github/workflows/test.yml'));
    expect(test.jobs.test.strategy.matrix.node).to.deep.equal([20, 22, 24]);
    expect(parse(read('.github/workflows/release.yml')).permissions).to.include({ 'id-token': 'write' });
    expect(read('scripts/release.ts')).to.contain('--provenance');
  });

  it('invent no public address: the release names what is missing', () => {
    expect(missingFields({})).to.deep.equal(['repository', 'bugs', 'homepage', 'mcpName']);
    expect(missingFields({ repository: 'x', bugs: 'x', homepage: 'x', mcpName: 'x' })).to.deep.equal([]);
    expect(changelogSection('1.0.0', [{ text: 'One.\n\n- more' }, { text: 'Two.' }])).to.equal(
      '## 1.0.0\n\n- One.\n\n  - more\n\n- Two.\n',
    );
  });

  it('need no install scripts of ours', () => {
    for (const script of ['preinstall', 'install', 'postinstall'])
      expect(manifest.scripts).not.to.have.property(script);
    expect(Object.keys(manifest.dependencies).filter((name) => name.startsWith('@ast-grep/'))).to.deep.equal(
      [],
    );
  });
});
