<?xml version="1.0" encoding="UTF-8"?>
<!-- sitemapgen: how a browser shows sitemap.xml and its parts. -->
<xsl:stylesheet version="1.0"
    xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"
    xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
    xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
    xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
    xmlns:xhtml="http://www.w3.org/1999/xhtml"
    exclude-result-prefixes="s image video news xhtml">
  <xsl:output method="html" encoding="UTF-8" indent="no"/>

  <xsl:template match="/">
    <html lang="en">
      <head>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="robots" content="noindex"/>
        <title>Sitemap</title>
        <style>
          :root { color-scheme: light dark; --line: #8884; }
          body { max-width: 80rem; margin: 0 auto; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
          h1 { margin: 0; font-size: 1.6rem; }
          p { margin: 0 0 1.5rem; opacity: 0.7; }
          table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
          th, td { padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
          td:first-child { overflow-wrap: anywhere; }
          td + td { white-space: nowrap; }
          a { color: light-dark(#0b57d0, #8ab4f8); text-decoration: none; }
          a:hover, a:focus { text-decoration: underline; }
        </style>
      </head>
      <body>
        <h1>Sitemap</h1>
        <xsl:apply-templates/>
      </body>
    </html>
  </xsl:template>

  <xsl:template match="s:sitemapindex">
    <p>An index of <xsl:value-of select="format-number(count(s:sitemap), '#,##0')"/> files for search engines.</p>
    <table>
      <thead><tr><th>File</th><th>Last changed</th></tr></thead>
      <tbody>
        <xsl:for-each select="s:sitemap">
          <tr>
            <td><a href="{s:loc}"><xsl:value-of select="s:loc"/></a></td>
            <td><xsl:value-of select="translate(s:lastmod, 'TZ', '  ')"/></td>
          </tr>
        </xsl:for-each>
      </tbody>
    </table>
  </xsl:template>

  <xsl:template match="s:urlset">
    <xsl:variable name="has-lastmod" select="s:url/s:lastmod"/>
    <xsl:variable name="has-changefreq" select="s:url/s:changefreq"/>
    <xsl:variable name="has-priority" select="s:url/s:priority"/>
    <xsl:variable name="has-languages" select="s:url/xhtml:link"/>
    <xsl:variable name="has-images" select="s:url/image:image"/>
    <xsl:variable name="has-videos" select="s:url/video:video"/>
    <xsl:variable name="has-news" select="s:url/news:news"/>
    <p><xsl:value-of select="format-number(count(s:url), '#,##0')"/> pages, for search engines.</p>
    <table>
      <thead>
        <tr>
          <th>Page</th>
          <xsl:if test="$has-lastmod"><th>Last changed</th></xsl:if>
          <xsl:if test="$has-changefreq"><th>Changes</th></xsl:if>
          <xsl:if test="$has-priority"><th>Priority</th></xsl:if>
          <xsl:if test="$has-languages"><th>Languages</th></xsl:if>
          <xsl:if test="$has-images"><th>Images</th></xsl:if>
          <xsl:if test="$has-videos"><th>Videos</th></xsl:if>
          <xsl:if test="$has-news"><th>Article</th></xsl:if>
        </tr>
      </thead>
      <tbody>
        <xsl:for-each select="s:url">
          <tr>
            <td><a href="{s:loc}"><xsl:value-of select="s:loc"/></a></td>
            <xsl:if test="$has-lastmod"><td><xsl:value-of select="translate(s:lastmod, 'TZ', '  ')"/></td></xsl:if>
            <xsl:if test="$has-changefreq"><td><xsl:value-of select="s:changefreq"/></td></xsl:if>
            <xsl:if test="$has-priority"><td><xsl:value-of select="s:priority"/></td></xsl:if>
            <xsl:if test="$has-languages">
              <td>
                <xsl:for-each select="xhtml:link">
                  <a href="{@href}"><xsl:value-of select="@hreflang"/></a>
                  <xsl:text> </xsl:text>
                </xsl:for-each>
              </td>
            </xsl:if>
            <xsl:if test="$has-images"><td><xsl:if test="image:image"><xsl:value-of select="count(image:image)"/></xsl:if></td></xsl:if>
            <xsl:if test="$has-videos"><td><xsl:if test="video:video"><xsl:value-of select="count(video:video)"/></xsl:if></td></xsl:if>
            <xsl:if test="$has-news"><td><bdi><xsl:value-of select="news:news/news:title"/></bdi></td></xsl:if>
          </tr>
        </xsl:for-each>
      </tbody>
    </table>
  </xsl:template>
</xsl:stylesheet>
