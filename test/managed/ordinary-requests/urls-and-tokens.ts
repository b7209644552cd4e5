/** URLs as values, and long strings that only a machine reads. */
import type { RequestDescription } from '#request';
import { api, each, page, submit } from './request.ts';

const urls = [
  '/oauth/authorize?response_type=code&client_id=abc123&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&scope=openid%20profile%20email&state=xyz&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256',
  '/oauth/authorize?client_id=cli&redirect_uri=http%3A%2F%2F127.0.0.1%3A51004%2Fcallback&response_type=code&state=af0ifjsldkj',
  '/oauth/authorize?client_id=dev&redirect_uri=http://localhost:3000/auth/callback&response_type=token',
  '/oauth/authorize?client_id=ios&redirect_uri=com.example.app%3A%2F%2Foauth&response_type=code',
  '/login?next=%2Faccount%2Forders%3Fpage%3D2%26sort%3Ddate',
  '/login?returnTo=https://www.example.com/a/b?c=d&e=f',
  '/login?continue=https%3A%2F%2Fwww.example.com%2Fredirect%3Furl%3Dhttps%253A%252F%252Fshop.example.com%252Fcart%253Fid%253D1',
  '/saml/sso?SAMLRequest=fZJNT8MwDIbvSPyHKPd%2B0A0hRWunMYSYxEe1dhy4ZanXZWqTEqdj%2FHvSbhNDGlwt%2B%2FXj157E%3D&RelayState=%2Fhome&SigAlg=http%3A%2F%2Fwww.w3.org%2F2001%2F04%2Fxmldsig-more%23rsa-sha256',
  '/share?u=https%3A%2F%2Fwww.example.com%2Fblog%2Fpost.php%3Fid%3D5&t=Title',
  '/preview?url=https://news.example.org/2024/06/15/story.html',
  '/proxy/image?src=https%3A%2F%2Fcdn.example.net%2Fa%2Fb.jpg&w=300',
  '/out?to=mailto%3Ajane%40example.com%3Fsubject%3DHi%20there',
  '/out?to=tel:+49301234567',
  '/embed?url=https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  '/analytics.gif?dl=https%3A%2F%2Fwww.example.com%2Findex.php%3Fp%3D1&dt=Home%20%7C%20Example&sr=1920x1080&cid=123.456',
  '/collect?v=2&tid=G-ABC123&en=page_view&dr=https%3A%2F%2Fwww.google.com%2F&ep.label=a%2Fb%3Bc',
  '/validator?uri=http%3A%2F%2Fexample.com%2Frobots.txt',
  '/feed?source=feed://example.com/rss.xml',
  '/map?link=geo:52.5,13.4?z=10',
  '/download?file=reports/2024/q2-final.pdf',
  '/download?file=..%2Fshared%2Fpicture.png',
  '/view?path=/home/documents/letter.odt',
  '/page?template=landing&include=header,footer',
  '/redirect?url=%2F%2Fcdn.example.com%2Fa.js',
  '/ics?url=webcal://calendar.example.com/team.ics',
  '/repo?clone=git://git.example.com/x.git',
  '/magnet?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=file+name',
];

const jwt =
  'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlLmNvbS8iLCJzdWIiOiJhdXRoMHw1ZjdjOGVjN2MzM2M2YzAwNGJiYWZlODIiLCJhdWQiOlsiYXBpIl0sImlhdCI6MTcxODQ0NDQwMCwiZXhwIjoxNzE4NDQ4MDAwLCJzY29wZSI6Im9wZW5pZCBwcm9maWxlIn0.MEUCIQDz3C1a9Xo7h0c2pQxR5yXkA1d2jPp0Tq8v5l1o4Yv2mQIgK9f3Wl8Q3u9Yw0E6mPz2y1R7v4b5N6xT8s0dJkLqWcA';

function withHeader(name: string, value: string): RequestDescription {
  const { headers = {}, ...rest } = page('https://www.example.com/api/me', 0);
  return { ...rest, headers: { ...(headers as Record<string, string>), [name]: value } };
}

const headers: readonly (readonly [string, string])[] = [
  ['authorization', `Bearer ${jwt}`],
  ['authorization', 'Basic amFuZTpwYXNzd29yZCB3aXRoIHNwYWNlcw=='],
  [
    'authorization',
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20240615/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  ],
  [
    'authorization',
    'Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"',
  ],
  ['x-csrf-token', 'ab+/cd==|1718444400|9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ['x-b3-traceid', '463ac35c9f6413ad48485a3953bb6124'],
  ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ['baggage', 'sentry-environment=production,sentry-release=web%401.2.3,sentry-public_key=49d0f7386ad6'],
  ['if-none-match', 'W/"5e8c-18f0b1c2d3e"'],
  ['if-modified-since', 'Sat, 15 Jun 2024 10:00:00 GMT'],
  ['range', 'bytes=0-1048575'],
  ['range', 'bytes=500-600,601-999,-200'],
  ['x-forwarded-for', '203.0.113.195, 2001:db8:85a3::8a2e:370:7334, 198.51.100.178'],
  ['forwarded', 'for="[2001:db8:cafe::17]:4711";proto=https;by=203.0.113.43'],
  ['x-forwarded-host', 'shop.example.com'],
  ['via', '1.1 vegur, 2 proxy.example.net (squid/6.9)'],
  [
    'cookie',
    `token=${jwt}; cf_clearance=Zk2f.8h_3-1718444400-1.0.1.1-abcDEF; prefs={"lang":"en","cols":[1,2,3]}`,
  ],
  [
    'cookie',
    '__utmz=1.1718444400.1.1.utmcsr=google|utmccn=(organic)|utmcmd=organic|utmctr=(not%20provided); _fbp=fb.1.1718444400.123',
  ],
  [
    'cookie',
    'wordpress_logged_in_5c016e8f0f95f039102cbe8366c5c7f3=jane%7C1718617200%7Cabc%7Cdef; wp-settings-1=libraryContent%3Dbrowse%26editor%3Dtinymce',
  ],
  [
    'cookie',
    'euconsent-v2=CPxxxxAPxxxxAAGABCENBqCoAP_AAH_AAAAAHXtf_X_fb39j-_59_9t0eY1f9_7_v-0zjhfdt-8N2f_X_L8X42M7vF36pq4KuR4Eu3LBIQdlHOHcTUmw6okVrTPsbk2Mr7NKJ7PEinMbe2dYGH9_n9XTuZKY79',
  ],
  ['referer', 'https://www.bing.com/search?q=select+from+where+tutorial&form=QBLH'],
  ['referer', 'android-app://com.google.android.gm/'],
  ['accept-language', 'zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7'],
  ['origin', 'null'],
  ['x-goog-api-key', 'AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY'],
];

const tokens: readonly string[] = [
  jwt,
  '550e8400-e29b-41d4-a716-446655440000',
  '01HZX3J5S8Z9Q2W4E6R8T0Y2U4',
  'sk_live_51H8xYz2eZvKYlo2CqL9mNpR7sTuVwXyZ0123456789abcdefgh',
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0/IzW7yWR7QkrmBL7jTKEn5u+qKhbwKfBstIs+bMY2Zkp18gnTxKLxoS2tFczGkPLPgizskuemMghRniWaoLcyehkd3qqGElvW/VDL5AaWTg0nLVkjRo9z+40RQzuVaE8AkAFmxZzow3x+VJYKdjykkJ0iT9wCS0DRTXu269V264Vf/3jvredZiKRkgwlL9xNAwxXFg0x/XFw005UWVRIKdgcKWTjpBP2dPwVZ4WWC+9aGVd+Gyn1o0CLelf4rEjGoXbAAEgAqeGUxrcIlbjXfbcmwIDAQAB',
  '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVs/o5+uQbTjL3chynL4wXgUg2R9\nq9UU8I5mEovUf86QZ7kOBIjJwqnzD1omageEHWwHdBO6B+dFabmdT9POxg==\n-----END PUBLIC KEY-----',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGzQ9p0f5e2xX8v1o3r4s5t6u7v8w9x0y1z2A3B4C5D6 jane@laptop',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  '$2b$12$KIXQ9z1eJ5v2m3n4o5p6qOeYw7r8t9u0i1o2p3a4s5d6f7g8h9j0k',
  'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
  '/wEPDwUKLTY2MjE0MzQxNQ9kFgICAw9kFgICAQ8PFgIeBFRleHQFBUhlbGxvZGRk4u6u1k2z0r7m7QF3sQ0r1lM9c2g=',
  'd2hhdCBhIGxvbmcgc3RyaW5nIG9mIHdvcmRzIHRoYXQgbWVhbnMgbm90aGluZyBhdCBhbGwgYnV0IGlzIGVuY29kZWQ',
  'H4sIAAAAAAAAA8tIzcnJVyjPL8pJAQCFEUoNCwAAAA==',
];

export const urlsAndTokens = [
  ...each('URL as a value', urls, (url, index) => page(`https://www.example.com${url}`, index)),
  ...each('header', headers, ([name, value]) => withHeader(name, value)),
  ...each('token in JSON', tokens, (token, index) =>
    api('/api/keys', { name: `key ${index}`, value: token }, index),
  ),
  ...each('token in a form', tokens, (token, index) =>
    submit('/token', { grant_type: 'refresh_token', refresh_token: token }, index),
  ),
];
