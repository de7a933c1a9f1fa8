/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Finds out before a class is defined which of its methods the virtual machine would refuse. As the
 * verifier does, it checks the code in one pass, by the types that the frames of the file declare.
 */
final class TypeChecker {
    private final TypeRules rules;

    TypeChecker(Hierarchy hierarchy) {
        rules = new TypeRules(hierarchy);
    }

    /** The methods that do not verify, each with its type. */
    List<String> failing(byte[] file) {
        ClassNode node = new ClassNode();
        new ClassReader(file).accept(node, ClassReader.EXPAND_FRAMES | ClassReader.SKIP_DEBUG);
        List<String> failing = new ArrayList<>();
        for (MethodNode method : node.methods) {
            if (method.instructions.size() > 0 && !verifies(node, method)) {
                failing.add(method.name + method.desc);
            }
        }
        return failing;
    }

    /**
     * Whether the method verifies. It does not if the check ends with any exception: an unknown variable, for example,
     * causes one that is no AnalyzerException.
     */
    private boolean verifies(ClassNode node, MethodNode method) {
        try {
            new TypeFlow(rules, node, method).check();
            return true;
        } catch (AnalyzerException | RuntimeException e) {
            return false;
        }
    }
}
