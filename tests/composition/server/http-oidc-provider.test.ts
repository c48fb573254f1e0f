import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { after, before, describe, it } from 'mocha';
import { Provider } from 'oidc-provider';
import { HttpClient, messagesOf } from '../../support/http-client.js';
import { listeningCastellan } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';

const OWN = isolatedOptions();
const RESOURCE = 'https://mcp.example.com/mcp';
const SECRET = 'a-secret-of-a-client-in-tests';

async function signingKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: 'k1', use: 'sig', alg: 'RS256' };
}

/** A real authorisation server, which gives clients access tokens for the resource that they name. */
function provider(issuer: string, key: JWK): Provider {
  return new Provider(issuer, {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: 'agent',
        client_secret: SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: ['mcp', 'other'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope: 'mcp other',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 60,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
}

describe('Access tokens of a real authorisation server', () => {
  const server: Server = createServer();
  let issuer = '';
  let key: JWK = {};
  let host: Awaited<ReturnType<typeof listeningCastellan>>;

  const token = async (resource: string, scope: string): Promise<string> => {
    const answer = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`agent:${SECRET}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
    });
    const { access_token } = JSON.parse(await answer.text());
    return String(access_token);
  };

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    key = await signingKey();
    server.on('request', provider(issuer, key).callback());
    const [policy, config] = [join(OWN.workspace, 'policy.yaml'), join(OWN.workspace, 'settings.yaml')];
    writeFileSync(
      policy,
      `version: 1\nprincipals:\n  - { match: { issuer: "${issuer}" }, roles: [member] }\nroles: { member: { tools: [echo] } }\n`,
    );
    writeFileSync(
      config,
      `http: { public_url: "${RESOURCE}", oauth: { issuer: "${issuer}", scopes: [mcp] } }\n`,
    );
    host = await listeningCastellan({ ...OWN, policy, config });
  });
  after(async () => {
    await host.castellan.close();
    server.closeAllConnections();
    server.close();
  });

  it('are taken when they are for us and have the scopes, and found by the metadata of the challenge', async () => {
    const challenged = await new HttpClient(host.url, undefined).post({});
    expect(challenged.status).to.equal(401);
    const place = /resource_metadata="([^"]+)"/.exec(challenged.headers['www-authenticate'] ?? '')?.[1] ?? '';
    const metadata = await fetch(new URL(new URL(place).pathname, host.url));
    expect(await metadata.json()).to.include({ resource: RESOURCE });
    const client = new HttpClient(host.url, await token(RESOURCE, 'mcp'));
    expect((await client.open()).status).to.equal(200);
    const [answer] = await client.call(1, 'echo', { message: 'hi' });
    expect(answer).to.have.nested.property('result.content[0].text', 'Echo: hi');
    const listed = messagesOf(await client.post({ jsonrpc: '2.0', id: 2, method: 'tools/list' }));
    expect(listed).to.have.nested.property('[0].result.tools.length', 1);
  });

  it('are refused when they are for another resource, or lack a scope', async () => {
    const other = await new HttpClient(host.url, await token('https://other.example.com/mcp', 'mcp')).post(
      {},
    );
    expect(other.status).to.equal(401);
    expect(other.headers['www-authenticate']).to.contain('invalid_token');
    const narrow = await new HttpClient(host.url, await token(RESOURCE, 'other')).post({});
    expect(narrow.status).to.equal(403);
    expect(narrow.headers['www-authenticate']).to.contain('insufficient_scope').and.contain('scope="mcp"');
  });

  /** A token like those of the server, with one thing that is another. */
  const forged = async (
    change: { readonly kid?: string; readonly claims?: object; readonly expires?: number },
    signer?: CryptoKey,
  ): Promise<string> => {
    const [, body = ''] = (await token(RESOURCE, 'mcp')).split('.');
    const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), ...change.claims };
    const jwt = new SignJWT({ ...claims, ...(change.expires !== undefined && { exp: change.expires }) });
    const own = await importJWK(key, 'RS256');
    return jwt
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: change.kid ?? 'k1' })
      .sign(signer ?? own);
  };
  const stranger = async () => (await generateKeyPair('RS256')).privateKey;
  const past = () => Math.floor(Date.now() / 1000) - 3600;
  const METADATA = 'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"';

  it('the forgery itself is right where nothing is changed, so that the table below can fail', async () => {
    expect((await new HttpClient(host.url, await forged({})).open()).status).to.equal(200);
  });

  const refused: Readonly<Record<string, () => Promise<string | undefined>>> = {
    'no token': async () => undefined,
    'an expired token': () => forged({ expires: past() }),
    'a token for another audience': () => token('https://other.example.com/mcp', 'mcp'),
    'a token of another issuer': () => forged({ claims: { iss: 'https://evil.example' } }),
    'a token of an unknown key': async () => forged({ kid: 'k9' }, await stranger()),
    'a token of another key under the known name': async () => forged({}, await stranger()),
    'a token without a signature': async () =>
      new UnsecuredJWT({ scope: 'mcp' })
        .setIssuer(issuer)
        .setSubject('agent')
        .setAudience(RESOURCE)
        .setExpirationTime('1m')
        .encode(),
  };
  for (const [what, bearer] of Object.entries(refused)) {
    it(`${what} is refused with 401 and where to get one, in both revisions`, async () => {
      const client = new HttpClient(host.url, await bearer());
      for (const version of ['2025-11-25', '2026-07-28']) {
        const { status, headers } = await client.post({}, { 'mcp-protocol-version': version });
        expect(status).to.equal(401);
        const challenge = headers['www-authenticate'] ?? '';
        expect(challenge)
          .to.match(/^Bearer /)
          .and.to.contain(METADATA)
          .and.to.contain('scope="mcp"');
        if (what === 'no token') expect(challenge).not.to.contain('error=');
        else expect(challenge).to.contain('error="invalid_token"');
      }
    });
  }

  it('a good token is refused with 403 under a wrong Host or Origin, and 404 in the session of another', async () => {
    const client = new HttpClient(host.url, await token(RESOURCE, 'mcp'));
    await client.open();
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await client.post(ping)).status).to.equal(200);
    expect((await client.post(ping, { host: 'evil.example' })).status).to.equal(403);
    expect((await client.post(ping, { origin: 'https://evil.example' })).status).to.equal(403);
    const thief = new HttpClient(host.url, await forged({ claims: { sub: 'thief', client_id: 'thief' } }));
    expect((await thief.open()).status).to.equal(200);
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? JSON.stringify(ping) : undefined;
      const answer = await thief.send(method, body, { 'mcp-session-id': client.session });
      expect(answer.status, method).to.equal(404);
    }
    expect((await client.post(ping)).status).to.equal(200);
  });
});
