/** Files with forms around them. */
import { each, multipart } from './request.ts';

const bytes = (seed: number, length: number): string => {
  let [state, text] = [seed, ''];
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += String.fromCharCode((state >>> 16) & 0xff);
  }
  return text;
};

const files: readonly (readonly [filename: string, type: string, content: string])[] = [
  ['holiday photo (1).jpg', 'image/jpeg', `\xff\xd8\xff\xe0\0\x10JFIF\0${bytes(1, 4_000)}`],
  ['logo.png', 'image/png', `\x89PNG\r\n\x1a\n${bytes(2, 3_000)}`],
  ['animation.gif', 'image/gif', `GIF89a\x01\0\x01\0${bytes(3, 500)}`],
  [
    'icon.svg',
    'image/svg+xml',
    '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg"><circle r="5"/></svg>',
  ],
  [
    "Invoice O'Brien & Sons.pdf",
    'application/pdf',
    `%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n${bytes(4, 2_000)}`,
  ],
  [
    'report.docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    `PK\x03\x04${bytes(5, 5_000)}`,
  ],
  [
    'contacts.csv',
    'text/csv',
    'name,email,note\n"O\'Neil, Sean",sean@example.com,"likes ""select"" teas; or coffee"\n',
  ],
  ['data.json', 'application/json', '{"rows":[{"id":1,"name":"a < b && c"}],"next":"../page2.json"}'],
  ['notes.md', 'text/markdown', '# Notes\n\nRun `npm test && npm run build` -- then deploy.\n'],
  ['main.py', 'text/x-python', 'import os\n\nprint(os.getcwd())\nfor x in range(10):\n    print(x or 1)\n'],
  [
    'schema.sql',
    'application/sql',
    'CREATE TABLE a (id int);\nINSERT INTO a VALUES (1);\nSELECT * FROM a;\n',
  ],
  [
    'server.log',
    'text/plain',
    '127.0.0.1 - - [15/Jun/2024:10:00:00 +0000] "GET /search?q=union HTTP/1.1" 200 512 "-" "curl/8.5.0"\n',
  ],
  [
    'feed.xml',
    'text/xml',
    '<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>A &amp; B</title></channel></rss>',
  ],
  ['archive.zip', 'application/zip', `PK\x03\x04\x14\0${bytes(6, 6_000)}`],
  ['voice.ogg', 'audio/ogg', `OggS\0\x02${bytes(7, 3_000)}`],
  ['clip.mp4', 'video/mp4', `\0\0\0\x18ftypmp42${bytes(8, 8_000)}`],
  ['backup.tar.gz', 'application/gzip', `\x1f\x8b\x08\0${bytes(9, 4_000)}`],
  [
    'Übersicht – März.xlsx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    `PK\x03\x04${bytes(10, 3_000)}`,
  ],
  [
    'page.html',
    'text/html',
    '<!doctype html><title>Export</title><h1>Hello</h1><p style="color:red">text</p>',
  ],
  [
    'calendar.ics',
    'text/calendar',
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Mum's birthday\\; cake\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
  ],
  ['blob', 'application/octet-stream', bytes(11, 10_000)],
  [
    'mail.eml',
    'message/rfc822',
    'From: a@example.com\r\nTo: b@example.com\r\nCc: c@example.com\r\nSubject: Hi\r\n\r\nHello,\r\nplease select one.\r\n',
  ],
];

export const uploads = each('upload', files, ([filename, type, content], index) =>
  multipart(
    '/upload',
    [
      { name: 'title', content: `File ${index}` },
      { name: 'comment', content: "It's for Bob -- see the 2nd page; thanks & bye" },
      { name: 'file', filename: Buffer.from(filename).toString('latin1'), type, content: content },
    ],
    index,
  ),
);
