const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const LOOPBACK = new RegExp(`^(?:localhost|127(?:\\.${OCTET}){3}|::1|\\[::1\\])$`, 'i');

/** Whether a host name or address, as a setting, a URL or a Host header writes it, is this machine itself. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
