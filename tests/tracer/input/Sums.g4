grammar Sums;
lines : (line NEWLINE)* EOF ;
line : NAME '=' sum | sum ;
sum : sum ('*' | '/') sum | sum ('+' | '-') sum | NUMBER | NAME | '(' sum ')' ;
NAME : [a-z]+ ;
NUMBER : [0-9]+ ('.' [0-9]+)? ;
NEWLINE : '\r'? '\n' ;
SPACE : [ \t]+ -> skip ;
