import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { HTTP_LIMITS } from '../../src/presentation/mcp/http/http-options.js';

const DOCS = resolve(import.meta.dirname, '../../docs');
const read = (name: string) => readFileSync(join(DOCS, name), 'utf8');

describe('the documented proxy of several instances', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  const proxy = read('nginx.conf');

  it('takes bodies as large as Castellan does, wherever nginx is shown', () => {
    const limit = `client_max_body_size ${HTTP_LIMITS.maxBodyBytes / 1024 / 1024}m;`;
    expect(proxy).to.contain(limit);
    expect(read('how-to/serve-over-http.md')).to.contain(limit);
  });

  it('knows every instance, does not buffer, and never repeats what an instance may have begun', () => {
    const instances = Object.keys(services).filter((name) => /^(one|two|three)$/.test(name));
    expect(instances).to.have.lengthOf(3);
    for (const name of instances) expect(proxy).to.match(new RegExp(`server ${name}:7337 `));
    expect(proxy).to.contain('proxy_buffering off;');
    expect(proxy.replace(/#.*/g, '')).not.to.contain('non_idempotent');
  });

  it('runs instances from the image that has a sandbox, each with a state that outlives it', () => {
    const folders = ['one', 'two', 'three'].map((name) => {
      const service = services[name];
      expect(service.build).to.equal('..');
      expect(service.security_opt).to.include('seccomp=unconfined');
      return service.volumes.find((volume: string) => volume.endsWith(':/state'));
    });
    expect(new Set(folders).size).to.equal(3);
    expect(folders).not.to.include(undefined);
  });
});
