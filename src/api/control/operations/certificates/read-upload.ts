/** Reads an uploaded certificate and its key, or explains why the edge could not serve it. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { describeSignature, findIssuer, listHosts } from '../../certificates/describe-certificate.ts';

/** Server, intermediate authorities and a root: real chains have two to four. */
const chainLengthMax = 10;

export interface UploadedCertificate {
  /** PEM without any text between the certificates. */
  readonly chain: string;
  /** PEM, PKCS #8. */
  readonly privateKey: string;
  readonly hosts: readonly string[];
  readonly issuer: string;
  readonly signature: string;
  readonly expiresAtMs: number;
}

export interface UploadProblem {
  readonly pointer: '/certificate' | '/private_key';
  readonly reason: string;
}

export function readUpload(
  given: { readonly certificate: string; readonly privateKey: string },
  { zoneName, nowMs }: { readonly zoneName: string; readonly nowMs: number },
): UploadedCertificate | UploadProblem {
  const chain = readChain(given.certificate);
  const [leaf] = chain ?? [];
  if (chain === undefined || leaf === undefined)
    return inCertificate('it is not a certificate chain in PEM format');
  if (chain.length > chainLengthMax)
    return inCertificate(`a chain has at most ${chainLengthMax} certificates`);
  const hosts = listHosts(leaf);
  if (!hosts.some((host) => isWithin(host, zoneName)))
    return inCertificate(`it has no host name of the zone ${zoneName}`);
  const expiresAtMs = leaf.validToDate.getTime();
  if (expiresAtMs <= nowMs) return inCertificate('it has expired');
  const key = readKey(given.privateKey);
  if (key === undefined) return inKey('it is not an unencrypted private key in PEM format');
  if (!leaf.checkPrivateKey(key)) return inKey('it does not belong to the first certificate');
  const uploaded = {
    chain: chain.map(String).join(''),
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  try {
    createSecureContext({ cert: uploaded.chain, key: uploaded.privateKey });
  } catch (error) {
    return inCertificate(`TLS cannot use it: ${(error as Error).message}`);
  }
  return { ...uploaded, hosts, issuer: findIssuer(leaf), signature: describeSignature(leaf), expiresAtMs };
}

function inCertificate(reason: string): UploadProblem {
  return { pointer: '/certificate', reason };
}

function inKey(reason: string): UploadProblem {
  return { pointer: '/private_key', reason };
}

function readChain(pem: string): X509Certificate[] | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.slice(0, chainLengthMax + 1).map((block) => new X509Certificate(block));
  } catch {
    return undefined;
  }
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function isWithin(host: string, zoneName: string): boolean {
  const name = host.startsWith('*.') ? host.slice(2) : host;
  return name === zoneName || name.endsWith(`.${zoneName}`);
}
