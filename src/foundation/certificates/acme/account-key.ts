/**
 * The key of an account at an authority: it signs every request (RFC 8555, section 6.2), and its thumbprint proves that a
 * name is served by the owner of the account (section 8.1).
 */
import { createECDH, createHmac, createPrivateKey, hash, type KeyObject, sign } from 'node:crypto';

/** A signed request: the flattened form of JSON Web Signatures. */
export interface SignedRequest {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

/** Credentials that a certificate authority issues to its customers for opening an account (section 7.3.4). */
export interface ExternalAccount {
  readonly keyId: string;
  /** Base64url. */
  readonly hmacKey: string;
}

interface PublicJwk {
  readonly crv: 'P-256';
  readonly kty: 'EC';
  readonly x: string;
  readonly y: string;
}

const coordinateBytes = 32;

export class AccountKey {
  readonly publicJwk: PublicJwk;
  readonly #key: KeyObject;

  /** `secret` are 32 secret bytes. The same secret always derives the same key. */
  constructor(secret: Uint8Array) {
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(secret);
    const point = curve.getPublicKey();
    const [x, y] = [point.subarray(1, 1 + coordinateBytes), point.subarray(1 + coordinateBytes)];
    this.publicJwk = { crv: 'P-256', kty: 'EC', x: x.toString('base64url'), y: y.toString('base64url') };
    const d = Buffer.from(secret).toString('base64url');
    this.#key = createPrivateKey({ key: { ...this.publicJwk, d }, format: 'jwk' });
  }

  /** RFC 7638: the fields in the order of their names. */
  get thumbprint(): string {
    return hash('sha256', JSON.stringify(this.publicJwk), 'base64url');
  }

  /** The value that the authority must find, for a challenge with this token. */
  authorize(token: string): string {
    return `${token}.${this.thumbprint}`;
  }

  /** An empty payload reads a resource instead of changing it. */
  sign(header: Readonly<Record<string, unknown>>, payload: object | ''): SignedRequest {
    const head = encode({ alg: 'ES256', ...header });
    const body = payload === '' ? '' : encode(payload);
    const signature = sign('sha256', Buffer.from(`${head}.${body}`), {
      key: this.#key,
      dsaEncoding: 'ieee-p1363',
    });
    return { protected: head, payload: body, signature: signature.toString('base64url') };
  }

  /** Proves that this key belongs to a customer of the authority. */
  bind({ keyId, hmacKey }: ExternalAccount, url: string): SignedRequest {
    const head = encode({ alg: 'HS256', kid: keyId, url });
    const body = encode(this.publicJwk);
    const signature = createHmac('sha256', Buffer.from(hmacKey, 'base64url')).update(`${head}.${body}`);
    return { protected: head, payload: body, signature: signature.digest('base64url') };
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
