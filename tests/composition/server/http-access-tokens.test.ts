import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { HttpClient, messagesOf } from '../../support/http-client.js';
import { listeningCastellan } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { initialize } from '../../support/wire.js';

const OWN = isolatedOptions();
const RESOURCE = 'https://mcp.example.com/mcp';

/** Issues tokens and publishes its keys, as an authorisation server does. */
class Issuer {
  readonly keys: object[] = [];
  asked = 0;
  failing = false;
  readonly #server: Server;
  url = '';

  constructor() {
    this.#server = createServer((request, response) => {
      if (this.failing) return void response.writeHead(500).end();
      if (request.url?.startsWith('/.well-known/')) {
        return void response.end(JSON.stringify({ issuer: this.url, jwks_uri: `${this.url}/keys` }));
      }
      this.asked += 1;
      response.end(JSON.stringify({ keys: this.keys }));
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) this.url = `http://127.0.0.1:${address.port}`;
  }

  async newKey(kid: string, publish = true): Promise<CryptoKey> {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    if (publish) this.keys.push({ ...(await exportJWK(publicKey)), kid, alg: 'ES256' });
    return privateKey;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

interface Wanted {
  readonly key: CryptoKey;
  readonly kid?: string;
  readonly subject?: string;
  readonly issuer?: string;
  readonly audience?: string;
  readonly expires?: string | number;
  readonly claims?: Record<string, unknown>;
}

describe('Access tokens over HTTP', () => {
  const issuer = new Issuer();
  let good: CryptoKey;
  let host: Awaited<ReturnType<typeof listeningCastellan>>;

  const token = ({ key, kid = 'k1', subject = 'alice', issuer: iss, audience, expires, claims }: Wanted) =>
    new SignJWT({ scope: 'mcp files', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setSubject(subject)
      .setIssuer(iss ?? issuer.url)
      .setAudience(audience ?? RESOURCE)
      .setIssuedAt()
      .setExpirationTime(expires ?? '5m')
      .sign(key);

  before(async () => {
    await issuer.start();
    good = await issuer.newKey('k1');
  });
  after(() => issuer.stop());
  beforeEach(async () => {
    const [policy, config] = [join(OWN.workspace, 'policy.yaml'), join(OWN.workspace, 'settings.yaml')];
    writeFileSync(
      policy,
      `version: 1
principals:
  - { match: { issuer: "${issuer.url}", claim: { groups: sre } }, roles: [operator] }
  - { match: { issuer: "${issuer.url}" }, roles: [viewer] }
roles:
  viewer: { tools: [echo] }
  operator: { inherits: [viewer], tools: [system_info] }
`,
    );
    writeFileSync(
      config,
      `http: { public_url: "${RESOURCE}", oauth: { issuer: "${issuer.url}", scopes: [mcp, files] } }\n`,
    );
    host = await listeningCastellan({ ...OWN, policy, config });
  });
  afterEach(() => host.castellan.close());

  const answer = async (bearer: string) => new HttpClient(host.url, bearer).post(initialize());

  it('are taken when they are good, with the roles of their claims', async () => {
    const tools = async (bearer: string) => {
      const client = new HttpClient(host.url, bearer);
      expect((await client.open()).status).to.equal(200);
      const listed = JSON.parse((await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).text);
      return listed.result.tools.map(({ name }: { name: string }) => name);
    };
    expect(await tools(await token({ key: good }))).to.deep.equal(['echo']);
    expect(await tools(await token({ key: good, claims: { groups: ['dev', 'sre'] } }))).to.deep.equal([
      'echo',
      'system_info',
    ]);
  });

  it('renewed ones go on with the session of the same caller; those of others do not', async () => {
    const client = new HttpClient(host.url, await token({ key: good }));
    await client.open();
    const renewed = new HttpClient(
      host.url,
      await token({ key: good, expires: '6m', claims: { jti: 'other' } }),
    );
    renewed.session = client.session;
    expect((await renewed.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).to.equal(200);
    const other = new HttpClient(host.url, await token({ key: good, claims: { groups: 'sre' } }));
    other.session = client.session;
    expect((await other.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).to.equal(404);
  });

  it('are refused when anything about them is wrong, with a challenge that says where to get one', async () => {
    const stranger = await issuer.newKey('k1', false);
    const parts = (await token({ key: good })).split('.');
    const none = new UnsecuredJWT({}).setSubject('alice').setIssuer(issuer.url).setAudience(RESOURCE);
    const now = Math.floor(Date.now() / 1000);
    const table = {
      expired: await token({ key: good, expires: now - 60 }),
      'for somebody else': await token({ key: good, audience: 'https://other.example/mcp' }),
      'of another issuer': await token({ key: good, issuer: 'https://evil.example' }),
      'signed by somebody else': await token({ key: stranger }),
      'of an unknown key': await token({ key: stranger, kid: 'k9' }),
      unsigned: none.setExpirationTime('5m').encode(),
      'with another body': [parts[0], Buffer.from('{"sub":"root"}').toString('base64url'), parts[2]].join(
        '.',
      ),
      'with the name of a key': await token({ key: good, subject: 'key-0123456789ab' }),
      'with the name of who is here': await token({ key: good, subject: 'local' }),
      'with no name': await token({ key: good, subject: '' }),
      'without a signature': `${parts[0]}.${parts[1]}.`,
    };
    for (const [what, bearer] of Object.entries(table)) {
      const { status, headers } = await answer(bearer);
      expect(status, what).to.equal(401);
      expect(headers['www-authenticate'], what)
        .to.contain('error="invalid_token"')
        .and.to.contain('scope="mcp files"')
        .and.to.contain(
          'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
        );
    }
  });

  it('are taken within the bounded difference of clocks', async () => {
    const now = Math.floor(Date.now() / 1000);
    expect((await answer(await token({ key: good, expires: now - 5 }))).status).to.equal(200);
  });

  it('without the scopes are 403, with all of them named at once', async () => {
    const { status, headers } = await answer(await token({ key: good, claims: { scope: 'mcp' } }));
    expect(status).to.equal(403);
    expect(headers['www-authenticate']).to.contain('error="insufficient_scope", scope="mcp files"');
  });

  it('keys are asked for once, whoever comes', async () => {
    const before = issuer.asked;
    for (let n = 0; n < 5; n += 1)
      expect((await answer(await token({ key: good, claims: { n } }))).status).to.equal(200);
    expect(issuer.asked - before).to.equal(1);
  });

  it('an issuer that cannot be reached is a 503, not a wrong token', async () => {
    issuer.failing = true;
    try {
      expect((await answer(await token({ key: good }))).status).to.equal(503);
    } finally {
      issuer.failing = false;
    }
  });

  it('metadata is at both well-known paths, for anybody', async () => {
    for (const path of ['', '/mcp']) {
      const at = new URL(`/.well-known/oauth-protected-resource${path}`, host.url).href;
      const found = messagesOf(await new HttpClient(at, undefined).send('GET', undefined));
      expect(found[0]).to.include({ resource: RESOURCE });
      expect(found[0]).to.deep.include({ authorization_servers: [issuer.url] });
    }
  });
});
