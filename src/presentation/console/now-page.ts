import type { ServerName, ServerState } from '../../application/operation/operated-server.js';
import type { SeenCall, SeenProcess, Stoppable } from '../../application/operation/watch-server.js';
import { rows, table } from './approvals-page.js';
import { keyed, since } from './console-page.js';
import { type Html, html } from './html.js';

/** Sessions, running calls and background processes of every server. */
export function nowPage(states: ReadonlyMap<ServerName, ServerState>): Html {
  if (states.size === 0)
    return html`<p data-key="none">No server of yours can be reached. A server is seen a moment after its client has started it.</p>`;
  return html`${[...states].map(([name, state]) => keyed(name, server(name, state)))}`;
}

function server(
  name: ServerName,
  { server: { pid, workspace }, sessions, calls, processes }: ServerState,
): Html {
  const clients = sessions.map(({ id, caller, transport, client }) => [id, client, caller, transport]);
  return html`<h2>${workspace}</h2><p>Process ${pid}</p>
${sessions.length > 0 && table('Sessions', ['Session', 'Client', 'Caller', 'Transport'], rows(clients))}
<h3>Running calls</h3>
${calls.length === 0 ? html`<p>None.</p>` : html`<ul class="plain">${calls.map((call) => callItem(name, call))}</ul>`}
<h3>Background processes</h3>
${processes.length === 0 ? html`<p>None.</p>` : html`<ul class="plain">${processes.map((process) => processItem(name, process))}</ul>`}`;
}

function callItem(name: ServerName, { id, tool, session, arguments: args, startedAt }: SeenCall): Html {
  return html`<li><strong>${tool}</strong> ${since(startedAt)} <small>session ${session}</small>
<code class="line">${JSON.stringify(args)}</code>${stopForm(name, 'call', id, tool)}</li>`;
}

function processItem(name: ServerName, { id, command, state, startedAt, output }: SeenProcess): Html {
  return html`<li><code class="line">${command}</code> ${state}, started ${since(startedAt)}
${output !== '' && html`<pre tabindex="0" aria-label="Output of ${command}">${output}</pre>`}
${state === 'running' && stopForm(name, 'process', id, command)}</li>`;
}

function stopForm(name: ServerName, kind: Stoppable, id: string, what: string): Html {
  return html`<form method="post" action="stop"><input type="hidden" name="server" value="${name}">
<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="id" value="${id}">
<button class="stop" aria-label="Stop ${what}">Stop</button></form>`;
}
