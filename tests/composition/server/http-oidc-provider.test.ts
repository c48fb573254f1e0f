import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { exportJWK, generateKeyPair } from 'jose';
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
async function provider(issuer: string): Promise<Provider> {
  return new Provider(issuer, {
    jwks: { keys: [await signingKey()] },
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
    server.on('request', (await provider(issuer)).callback());
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
});
