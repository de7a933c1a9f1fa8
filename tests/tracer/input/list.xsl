<?xml version="1.0"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="html"/>
<xsl:key name="by-name" match="item" use="name"/>
<xsl:template match="list"><table>
<xsl:apply-templates select="item"><xsl:sort select="price" data-type="number"/></xsl:apply-templates>
</table></xsl:template>
<xsl:template match="item"><tr><td><xsl:value-of select="name"/></td>
<td><xsl:value-of select="format-number(price * 2, '0.00')"/></td>
<td><xsl:value-of select="count(key('by-name', name))"/></td>
<td><xsl:apply-templates select="note"/></td></tr></xsl:template>
<xsl:template match="b"><i><xsl:apply-templates/></i></xsl:template>
</xsl:stylesheet>
