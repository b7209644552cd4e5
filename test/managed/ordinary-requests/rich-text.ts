/** Markup as editors post it, in forms and in JSON: everything but code that runs. */
import { api, each, submit } from './request.ts';

const texts = [
  '<p>Hello <strong>world</strong>, this is a <em>rich</em> text.</p>',
  '<h1>Title</h1><h2 id="intro">Intro</h2><p>First paragraph.</p><p>&nbsp;</p>',
  '<p><a href="https://www.example.com/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">a link</a></p>',
  '<p><a class="button" href="javascript:void(0)">menu</a></p>',
  '<figure class="image"><img src="/uploads/2024/05/cat.jpg" alt="A cat\'s tail" width="640" height="480"><figcaption>Cat</figcaption></figure>',
  '<ul><li>one</li><li>two &amp; three</li></ul><ol start="3"><li>four</li></ol>',
  '<table border="1" cellpadding="4" style="width:100%;border-collapse:collapse"><tbody><tr><td>a</td><td>b</td></tr></tbody></table>',
  '<p style="text-align:center;color:#333;font-family:Arial, sans-serif;margin:0 auto">centered</p>',
  '<blockquote cite="https://example.com/q"><p>"To be, or not to be"</p></blockquote><hr />',
  '<iframe width="560" height="315" src="https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0" title="Video" frameborder="0" allow="accelerometer; autoplay; encrypted-media" allowfullscreen></iframe>',
  '<video controls width="250"><source src="/media/flower.webm" type="video/webm">Your browser does not support it.</video>',
  '<pre><code class="language-python">for i in range(3):\n    print(i)\n</code></pre>',
  '<p>Use <code>git commit -am "x"</code> &amp;&amp; <code>git push</code>.</p>',
  '<p><span style="font-size:14pt">Offer: <s>100&nbsp;€</s> <b>79&nbsp;€</b> (only until Friday)</span></p>',
  '<div class="wp-block-columns"><!-- wp:paragraph {"align":"left"} --><p class="has-text-align-left">Block</p><!-- /wp:paragraph --></div>',
  '<!-- wp:image {"id":42,"sizeSlug":"large"} --><figure class="wp-block-image size-large"><img src="https://www.example.com/wp-content/uploads/a.jpg" alt="" class="wp-image-42"/></figure><!-- /wp:image -->',
  '[gallery ids="1,2,3" columns="3"]<p>[caption id="attachment_5" align="alignnone" width="300"]Text[/caption]</p>',
  '<p>Dear {{ first_name }},</p><p>your order {{order.id}} has shipped. {% if gift %}It is a gift!{% endif %}</p>',
  'Hello ${name}, your code is ${code}.',
  '<p>Math: a &lt; b &gt; c, 5 &lt; 7, x<sub>1</sub> + x<sup>2</sup> &asymp; &pi;</p>',
  '<mjml><mj-body><mj-section><mj-column><mj-text>Newsletter</mj-text></mj-column></mj-section></mj-body></mjml>',
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Mail</title><style>body{margin:0}p{color:#000}</style></head><body><p>Hi!</p></body></html>',
  '<table role="presentation" cellspacing="0"><tr><td bgcolor="#ffffff" align="center"><a href="%%unsubscribe%%">unsubscribe</a></td></tr></table>',
  '<details><summary>More</summary>Hidden text</details>',
  '<p dir="rtl" lang="ar">مرحبا <b>بالعالم</b></p>',
  '<p><img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==" alt="dot"></p>',
  '<svg width="24" height="24" viewBox="0 0 24 24" fill="none" xmlns="http://www.w3.org/2000/svg"><path d="M12 2L2 7l10 5 10-5-10-5z" stroke="currentColor"/></svg>',
  '<p>&#8220;Quoted&#8221; &#8212; it&#39;s &#169; 2024 &#x2713;</p>',
  '**bold** _italic_ ~~strike~~ [link](https://example.com) ![img](/a.png) > quote\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  '# Heading\n\n1. one\n2. two\n\n- [ ] todo\n- [x] done\n\n---\n\nFootnote[^1]\n\n[^1]: text',
];

const documents = [
  {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', marks: [{ type: 'bold' }], text: 'Hi' }] }],
  },
  { ops: [{ insert: 'Gandalf' }, { attributes: { bold: true }, insert: ' the Grey\n' }] },
  {
    time: 1718444400123,
    blocks: [{ type: 'paragraph', data: { text: 'Hello&nbsp;<b>world</b>' } }],
    version: '2.29.1',
  },
  {
    blocks: [{ key: 'a1', text: 'Draft text', type: 'unstyled', inlineStyleRanges: [], entityRanges: [] }],
    entityMap: {},
  },
];

export const richText = [
  ...each('rich text', texts, (text, index) =>
    index % 2 === 0
      ? submit('/admin/pages/7/edit', { title: `Page ${index}`, content: text, status: 'publish' }, index)
      : api('/api/pages', { title: `Page ${index}`, body: text, draft: false }, index),
  ),
  ...each('document of an editor', documents, (document, index) =>
    api('/api/documents/1', document, index, 'PUT'),
  ),
];
